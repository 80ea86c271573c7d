import { Toast } from "@base-ui/react/toast";
import { CloseIcon } from "./icons.tsx";
import styles from "./toasts.module.css";
import { copy } from "./copy.ts";

const manager = Toast.createToastManager();

/** Shows a message that disappears by itself. Errors are shown in place instead. */
export const toast = (title: string) => void manager.add({ title });

/** The place where toasts appear. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  return Toast.useToastManager().toasts.map((each) => (
    <Toast.Root key={each.id} toast={each} className={styles.toast}>
      <Toast.Content className={styles.content}>
        <Toast.Title className={styles.title} />
        <Toast.Close className={styles.close} aria-label={copy.dismiss}>
          <CloseIcon size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
