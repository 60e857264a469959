import { useEffect } from "preact/hooks";

/** Name the tab after what the page shows. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Edgewise`;
  }, [title]);
};
