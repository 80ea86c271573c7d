import { Choice } from "../ui/forms/choice.tsx";

const overlaps = [
  ["0", "At once"],
  ["1", "In an hour"],
  ["24", "In a day"],
  ["168", "In a week"],
] as const;

export type Overlap = (typeof overlaps)[number][0];

interface OverlapFieldProps {
  label: string;
  hint: string;
  value: Overlap;
  onChange: (overlap: Overlap) => void;
}

/** Asks for the hours that an old secret works beside the new one. */
export function OverlapField(props: OverlapFieldProps) {
  return <Choice name="overlapHours" options={overlaps} {...props} />;
}
