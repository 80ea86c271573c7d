import { useId, useState, type FocusEvent } from "react";
import { Button } from "../button.tsx";
import { CopyButton } from "../values/copy.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { Checkbox } from "../forms/form.tsx";
import styles from "./secret-dialog.module.css";

interface SecretDialogProps {
  title: string;
  /** Its purpose, and the place where it belongs. */
  description: string;
  /** One line, or several. */
  secret: string;
  label?: string;
  /** Whoever holds the secret has to forget it then. */
  onClose: () => void;
}

/** Shows a secret once. It closes only after somebody has confirmed that the secret is stored elsewhere. */
export function SecretDialog({ title, description, secret, label = "Secret", onClose }: SecretDialogProps) {
  const [isKept, setKept] = useState(false);
  const id = useId();
  const lines = secret.split("\n").length;
  const field = { id, readOnly: true, value: secret, onFocus: select };
  return (
    <Dialog open isLocked title={title} description={description} onClose={onClose}>
      <div className={styles.secret}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {lines > 1 ? (
          <textarea {...field} className={`${styles.value} ${styles.lines}`} rows={lines} />
        ) : (
          <input {...field} className={styles.value} />
        )}
        <CopyButton text={secret} label="Copy" showsLabel />
      </div>
      <Checkbox label="I have stored it. It cannot be shown again." checked={isKept} onChange={setKept} />
      <DialogActions>
        <Button look="primary" disabled={!isKept} onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const select = (event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>) => event.currentTarget.select();
