import { useId, useState, type FocusEvent } from "react";
import { Button } from "../button.tsx";
import { CopyButton } from "../values/copy.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { Checkbox } from "../forms/form.tsx";
import styles from "./secret-dialog.module.css";

interface SecretDialogProps {
  title: string;
  /** What it is for and where it belongs. */
  description: string;
  /** Of several lines where there are several. */
  secret: string;
  label?: string;
  /** The secret has to be forgotten then, by whoever holds it. */
  onClose: () => void;
}

/** Shows a secret once. Whoever closes it says first that the secret is kept elsewhere. */
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
