// Paths in a box of 24 by 24.
export const EYE = "M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7Zm10-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z";
export const EYE_SHUT = `${EYE}M4 4l16 16`;
export const CROSS = "m5.5 5.5 13 13m0-13-13 13";
