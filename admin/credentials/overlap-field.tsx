import { Choice } from "../ui/forms/choice.tsx";
import { copy } from "./copy.ts";

const overlaps = [
  ["0", copy.overlap.now],
  ["1", copy.overlap.hour],
  ["24", copy.overlap.day],
  ["168", copy.overlap.week],
] as const;

export type Overlap = (typeof overlaps)[number][0];

interface OverlapFieldProps {
  label: string;
  hint: string;
  value: Overlap;
  onChange: (overlap: Overlap) => void;
}

/** The field for when an old secret expires after its rotation. */
export function OverlapField(props: OverlapFieldProps) {
  return <Choice name="overlapHours" options={overlaps} {...props} />;
}
