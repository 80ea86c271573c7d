import { Entrance } from "./entrance.tsx";

export function ResetPage() {
  return <Entrance title="Reset">…</Entrance>;
}
