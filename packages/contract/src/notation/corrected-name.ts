/** The name of the corrected copy of a file: `claims may.csv` → `claims may_corrected.csv`. */
export const correctedName = (fileName: string): string => fileName.replace(/(?=\.[^.]*$)/, '_corrected')
