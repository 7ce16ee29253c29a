export const says = {
  title: "Calculator",
  line: "Calculation",
  placeholder: "3/4 * 1,200 + 15%",
  history: "Earlier calculations",
  reuse: "Use this line again",
  hint: "+ − * / ^ ! % ( ) sqrt pi, LaTeX too. Enter keeps a line as ans, ↑ brings it back.",
  troubles: {
    unreadable: "Not a complete calculation.",
    too_long: "This line is too long.",
    too_large: "Too large for this calculator.",
    division_by_zero: "Division by zero.",
    no_real_number: "No real number.",
    not_whole: "! needs a whole number, zero or more.",
  },
};
