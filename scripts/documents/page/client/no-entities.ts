/** Stands in for `entities/decode` in the browser's copy of htmlparser2, where it does not decode: see html-text.ts. */
export class EntityDecoder {}
export const DecodingMode = {};
export const htmlDecodeTree = undefined;
export const xmlDecodeTree = undefined;
