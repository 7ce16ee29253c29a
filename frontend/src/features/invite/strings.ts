export const says = {
  title: "You are invited",
  by: (who: string) => `${who} invites you to Stepmark`,
  as: (role: string, phase: string | null) => (phase ? `You will be ${role} in “${phase}”.` : `You will be ${role}.`),
  roles: { annotator: "an annotator", expert: "an expert", admin: "an admin", ml_staff: "ML staff" } as Record<
    string,
    string
  >,
  username: "User name",
  usernameHint: "Letters, digits and @ . + - _",
  password: "Password",
  passwordHint: "At least 8 characters, and not a common password.",
  accept: "Create account",
  over: "This link does not work",
  overText: "It was used or revoked, or it has expired. Ask the person who sent it for another one.",
  signIn: "Go to sign-in",
};
