export const says = {
  title: "Second looks", lead: "Mostly labels that the current model finds very unlikely. Rate the last step anew; only then you learn what was said first.",
  round: "Round", of: (phase: string, round: number) => `${phase}, round ${round}`, reference: "Reference answer",
  none: "No round has labels that the current model has scored.", done: "Every label of this round that is not your own has had its second look.",
  rate: "How is the last step?", first: "The first label was", second: "You said", model: (chance: string) => `The model gave the first label a chance of ${chance}.`,
  changed: "A second opinion changes it.", same: "Both agree that it is wrong or that it is right.", next: "Next label", rule: "Rule on it now", waits: "The task waits for a ruling in Adjudication, under Second looks. Once given, the ruling stands for it in training and exports.",
  noise: "Label noise", how: "Labels are drawn at random within bands of the model’s chance for them, most looks going to the unlikely ones. The share of looks that turned Bad into right or right into Bad, weighted by each band’s size, with its 95 % interval.",
  labels: "Labels", surprising: "Under 30 %", looks: "Second looks", changes: "Changed", estimate: "Noise", tooFew: "too few looks", interval: (low: string, high: string) => `${low} to ${high}`,
};
