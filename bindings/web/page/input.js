// What is pasted, as bytes.

const utf8 = new TextEncoder();

export function bytesOf(text, encoding) {
  const kind = encoding || guess(text);
  if (kind === 'hex') return fromHex(text);
  if (kind === 'base64') return fromBase64(text);
  if (kind === 'pem') return fromPem(text);
  return utf8.encode(text);
}

function guess(text) {
  if (text.includes('-----BEGIN ')) return 'pem';
  const digits = text.replace(/0x|[\s,:]/g, '');
  if (/^([0-9a-fA-F]{2})+$/.test(digits)) return 'hex';
  const packed = text.replace(/\s/g, '');
  if (packed.length >= 8 && packed.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(packed)) return 'base64';
  return 'text';
}

function fromHex(text) {
  const digits = text.replace(/0x|[\s,:]/g, '');
  if (digits.length % 2 !== 0 || /[^0-9a-fA-F]/.test(digits)) throw new Error('These are not hexadecimal digits in pairs.');
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

function fromBase64(text) {
  try {
    return Uint8Array.from(atob(text.replace(/\s/g, '').replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  } catch {
    throw new Error('This is not base64.');
  }
}

function fromPem(text) {
  const inside = /-----BEGIN [^-]*-----([^]*?)-----END [^-]*-----/.exec(text);
  if (inside === null) throw new Error('The end of the PEM message is missing.');
  return fromBase64(inside[1].replace(/^.*:.*$/gm, ''));
}

/** A file's bytes; PEM is decoded. */
export function unwrapped(bytes) {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 11));
  return start === '-----BEGIN ' ? fromPem(new TextDecoder('latin1').decode(bytes)) : bytes;
}
