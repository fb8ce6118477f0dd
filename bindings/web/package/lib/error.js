/** What went wrong, in which format, where, and what was expected there: the error of the Rust crates. */
export class LengthwiseError extends Error {
  constructor(fields) {
    super(fields.message);
    this.name = 'LengthwiseError';
    const { kind, format, offset, bit, line, column, path, found, expected, needed, source } = fields;
    Object.assign(this, { kind, format, offset, bit, line, column, path, found, expected, needed, source });
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
