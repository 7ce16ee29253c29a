export const says = {
  title: "Ask the admins",
  about:
    "Nobody else reads it, and it changes nothing about your labelling. The answer appears here and on your start page.",
  change: "You can change your question until it is answered.",
  question: "Your question",
  send: "Ask",
  mine: "Your questions",
  all: "All your questions",
  none: "You have not asked anything in this phase.",
  asked: (when: string) => `You asked, ${when}`,
  answered: (when: string) => `Answer, ${when}`,
  waits: "Not answered yet.",
  closed: "Closed without an answer.",
  revise: "Revise your labelling",
};
