/** 26 characters of Crockford base 32 that fit in 128 bits. */
export const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
