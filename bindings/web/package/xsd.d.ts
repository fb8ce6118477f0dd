export * from './asn1.js';
