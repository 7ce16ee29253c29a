export const says = {
  title: "You are invited", by: (who: string) => `${who} invites you to Stepmark`, as: (role: string, phase: string | null) => (phase ? `You will be ${role} in “${phase}”.` : `You will be ${role}.`),
  roles: { annotator: "an annotator", expert: "an expert", admin: "an admin", ml_staff: "ML staff" } as Record<string, string>,
  username: "User name", usernameHint: "Letters, digits and @ . + - _", password: "Password", passwordHint: "At least 8 characters, and none that everybody uses.",
  accept: "Come in", over: "This link does not work", overText: "It was used, revoked, or it is too old. Ask the person who sent it for another one.", signIn: "To the sign-in page",
};
