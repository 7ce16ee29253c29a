import "@mantine/core/styles/Tour.css";
import { Tour } from "@mantine/core";
import type { Assignment } from "@/api/types";
import { strings } from "@/shared/strings";
import type { Command } from "./keymap";
import { useKeyOf } from "./useKeys";

const says = strings.label.tour;

/** Short cards beside the parts they are about. Arrow keys or buttons move, Escape ends it. */
export default function TaskTour({ kind = "solutions", onClose }: { kind: Assignment["phase"]["kind"]; onClose: () => void }) {
  const keyOf = useKeyOf();
  const cards = says.cards(kind, (command: Command) => keyOf(command));
  return (
    <Tour active onClose={onClose} labels={says.labels} maxWidth={340} styles={{ stepCounter: { color: "var(--mantine-color-dimmed)" } }}>
      {cards.map(({ part, title, text }) => <Tour.Step key={part} target={`[data-tour~="${part}"]`} title={title}>{text}</Tour.Step>)}
    </Tour>
  );
}
