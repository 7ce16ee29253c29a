// Paths in a box of 24 by 24.
export const CROSS = "m5.5 5.5 13 13m0-13-13 13";
