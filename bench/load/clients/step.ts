/** Reports to the parent that a step is done, and waits for its next message, which it returns. */
export type Step = <T = void>() => Promise<T>
