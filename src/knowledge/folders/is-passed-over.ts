/** Hidden files and folders, locks of Office, copies of editors, downloads under way. */
const PASSED_OVER = /^(?:\.|~\$)|~$|\.(?:tmp|temp|part|partial|crdownload|swp)$/i;

/** Whether a file or folder of this name is left out: it is no document, or not one yet. */
export function isPassedOver(name: string): boolean {
  return name === '' || PASSED_OVER.test(name);
}
