export const says = {
  title: "Sign in",
  kept: "Your work is kept in this browser. Sign in again to go on with it.",
  username: "User name",
  password: "Password",
  submit: "Sign in",
  about:
    "People rate each step of a model’s solution. A reward model learns from the ratings, and picks what is worth rating next.",
};
