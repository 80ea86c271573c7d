/** An instant for people, whose time zone nobody knows. */
export function formatTime(instant: Date | string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
