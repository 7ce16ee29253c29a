export const says = {
  title: "Your account", lead: (role: string) => `You are here as: ${role}.`,
  password: "Password", now: "Current password", next: "New password", nextHint: "At least 8 characters, and not a common password.", change: "Change password", changed: "Changed. Other browsers are signed out.",
  tokens: "API tokens", about: "A script that sends one may do whatever you may do. Treat it like a password.",
  how: "Send it as a header:", none: "You have no tokens.", name: "Name of a new token", make: "Make a token", days: "Valid for (days)", forGood: "no limit",
  readOnly: "Read-only", readOnlyHint: "It may read whatever you may read, and change nothing.", readsOnly: "read-only", until: (when: string) => `valid until ${when}`, noEnd: "no expiry",
  secret: "The token", once: "Copy it now: it is not shown again.", made: (when: string) => `made ${when}`, used: (when: string) => `last used ${when}`, unused: "never used",
  revoke: "Revoke", sure: "Scripts that use it stop working at once. Revoke it?",
};
