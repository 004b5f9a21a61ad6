/** The result of `work`, or an error after so many milliseconds; the work itself goes on. */
export function withinTime<T>(work: Promise<T>, milliseconds: number, message: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(message)), milliseconds).unref()
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
