import { NativeSelect, TextInput, type TextInputProps } from "@mantine/core";
import type { StepRule } from "@/api/types";
import { MARK, STEP_RULES } from "@/shared/words/vocabularies";
import { wordsOf } from "@/shared/words/words";

// A model splits the texts of an import only.
const RULES = wordsOf(STEP_RULES).flatMap((value) =>
  value === "model" ? [] : [{ value, label: STEP_RULES[value].name }],
);

export const USUAL_SPLIT = { split_by: "usual" as StepRule, mark: "" };

/** Returns the body with a mark only where one cuts: what was typed before another rule was chosen is refused. */
export function withMark<Body extends typeof USUAL_SPLIT>(body: Body): Body {
  return body.split_by === "mark" ? body : { ...body, mark: "" };
}

interface Props {
  label: string;
  rule: StepRule;
  /** The form's `text`, which returns an input's props. */
  text: (name: keyof typeof USUAL_SPLIT) => Pick<TextInputProps, "value" | "error"> & {
    onChange: (event: { currentTarget: { value: string } }) => void;
  };
}

/** The rule by which texts become steps. */
export function SplitFields({ label, rule, text }: Props) {
  return (
    <>
      <NativeSelect label={label} description={STEP_RULES[rule].where} {...text("split_by")} data={RULES} />
      {rule === "mark" && (
        <TextInput label="Mark" description="It is left out." placeholder={MARK} {...text("mark")} maxLength={50} />
      )}
    </>
  );
}
