export const says = {
  refused: "Not accepted",
  lookAgain: "Look again",
  discard: "Discard",
  sureDiscard: "Discard permanently",
};
