import { Toast } from "@base-ui/react/toast";
import { CloseIcon } from "./icons.tsx";
import styles from "./toasts.module.css";

const manager = Toast.createToastManager();

/** Says in passing that something was done. What went wrong stays where it went wrong instead. */
export const tell = (title: string) => void manager.add({ title });

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
  return Toast.useToastManager().toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Content className={styles.content}>
        <Toast.Title className={styles.title} />
        <Toast.Close className={styles.close} aria-label="Dismiss">
          <CloseIcon size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
