import classes from './sheet-picture.module.css'

/** All but the selected one, by number: three in each row. */
const otherCells = [0, 1, 2, 3, 5, 6, 7, 8]

/** A picture of a small sheet with one selected cell; `tone` colours that cell. */
export function SheetPicture({ tone = 'quiet' }: { tone?: 'quiet' | 'wrong' }) {
  return (
    <svg
      width="132"
      height="92"
      viewBox="0 0 132 92"
      fill="none"
      aria-hidden="true"
      className={classes.sheet}
      data-tone={tone}
    >
      {otherCells.map((cell) => (
        <rect
          key={cell}
          x={6 + (cell % 3) * 40}
          y={7 + Math.floor(cell / 3) * 26}
          width="40"
          height="26"
          className={classes.cell}
        />
      ))}
      <rect x="46" y="33" width="40" height="26" className={classes.selected} />
      <rect x="82" y="55" width="8" height="8" className={classes.handle} />
      {[
        [13, 17],
        [13, 43],
        [93, 43],
        [53, 69],
      ].map(([x, y]) => (
        <rect
          key={`${x}-${y}`}
          x={x}
          y={y}
          width={x === 13 ? 22 : 16}
          height="5"
          rx="2.5"
          className={classes.text}
        />
      ))}
      {tone === 'wrong' && <path d="m61 41 10 10m0-10-10 10" className={classes.cross} />}
    </svg>
  )
}
