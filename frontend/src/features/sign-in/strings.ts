export const says = {
  title: "Sign in",
  username: "User name",
  password: "Password",
  submit: "Sign in",
  about:
    "People rate each step of a model’s solution. A reward model learns from the ratings, and picks what is worth rating next.",
};
