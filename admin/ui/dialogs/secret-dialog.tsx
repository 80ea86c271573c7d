import { useId, useState, type FocusEvent, type ReactNode } from "react";
import { Button } from "../button.tsx";
import { CopyButton } from "../values/copy-button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { Checkbox } from "../forms/form.tsx";
import layout from "../layout.module.css";
import styles from "./secret-dialog.module.css";
import { copy } from "../copy.ts";

interface SecretDialogProps {
  title: string;
  /** What the secret is for and where to store it. */
  description: string;
  /** One or more lines. */
  secret: string;
  label?: string;
  /** How to use the secret. */
  example?: ReactNode;
  /** The owner of the secret must drop it here. */
  onClose: () => void;
}

/** Shows a secret once. It closes only after the user confirms that they saved it. */
export function SecretDialog({
  title,
  description,
  secret,
  label = copy.secret.label,
  example,
  onClose,
}: SecretDialogProps) {
  const [isSaved, setSaved] = useState(false);
  const id = useId();
  const lines = secret.split("\n").length;
  const field = { id, className: `${layout.control} ${styles.value}`, readOnly: true, value: secret, onFocus: select };
  return (
    <Dialog open isLocked title={title} description={description} onClose={onClose}>
      <div className={`${layout.row} ${styles.secret}`}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {lines > 1 ? (
          <textarea {...field} className={`${field.className} ${styles.lines}`} rows={lines} />
        ) : (
          <input {...field} />
        )}
        <CopyButton text={secret} label={copy.secret.copy} showsLabel />
      </div>
      {example}
      <Checkbox label={copy.secret.confirm} checked={isSaved} onChange={setSaved} />
      <DialogActions>
        <Button variant="primary" disabled={!isSaved} onClick={onClose}>
          {copy.secret.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const select = (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => event.currentTarget.select();
