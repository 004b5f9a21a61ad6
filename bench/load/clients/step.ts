/** Tells the parent that this step is done, and waits for what it says next. */
export type Step = <T = void>() => Promise<T>
