/** Texts of lists and of dialogs that change a record. */
export const copy = {
  copyId: "Copy ID",
  by: (name: string) => `by ${name}`,
  anOperator: "an operator",
  count: (shown: string, total: string) => `${shown} of ${total}`,
  shown: (shown: string) => `${shown} shown`,
  loadMore: "Load more",
  export: "Export",
  import: "Import",
  defaultVariant: "Default variant",
  metadata: {
    title: "Metadata",
    none: "No metadata",
    edit: "Edit metadata",
    hint: "Other systems find the record by these values. Clear a value to remove its key.",
    key: "Key",
    value: "Value",
    add: "Add key",
    save: "Save",
    done: "Metadata saved",
  },
  conflict:
    "Someone else changed this while you were editing, so your changes weren’t saved. Review the current values, then save again.",
  readOnly: (role: string, noun: string) => `Your role (${role}) can’t edit ${noun}. Ask an owner to change your role.`,
};
