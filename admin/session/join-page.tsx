import { Entrance } from "./entrance.tsx";

export function JoinPage() {
  return <Entrance title="Join">…</Entrance>;
}
