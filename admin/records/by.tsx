import text from "../ui/text.module.css";
import { copy } from "./copy.ts";

/** The name of the person, service or key that made a change; nothing when it is unknown. */
export function By({ name }: { name: string | null }) {
  return name && <span className={text.under}>{copy.by(name)}</span>;
}
