/** What went wrong, in which format, where, and what was expected there: the error of the Rust crates. */
export class LengthwiseError extends Error {
  constructor(fields) {
    const { message, kind, format, offset, bit, line, column, path, found, expected, needed, source } = fields;
    const own = { kind, format, offset, bit, line, column, path, found, expected, needed, source: source || undefined };
    // Of an error, another thread gets the message and the cause alone.
    super(message, { cause: own });
    this.name = 'LengthwiseError';
    Object.assign(this, own);
  }
}

/** Runs a call into the module. What it throws is JSON, or the name of what an argument should have been. */
export function checked(call) {
  try {
    return call();
  } catch (thrown) {
    if (typeof thrown !== 'string') throw thrown;
    if (thrown.startsWith('{')) throw new LengthwiseError(JSON.parse(thrown));
    throw new TypeError(thrown);
  }
}
