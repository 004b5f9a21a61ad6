import classes from './checked-sheet.module.css'

const columnLetters = ['A', 'B', 'C', 'D']
/** An invented file with one wrong date. */
const rows = [
  ['1', 'Member', 'Name', 'Born', 'Amount'],
  ['2', '40718', 'A. Lindqvist', '14/03/1986', '120.00'],
  ['3', '40719', 'R. Okafor', '02/11/1974', '86.50'],
  ['4', '40722', 'M. Ferreira', '31/02/1991', '240.00'],
  ['5', '40725', 'J. Novák', '27/08/2001', '19.90'],
  ['6', '40731', 'S. Haddad', '09/12/1968', '310.25'],
]
const wrongRow = '4'
const wrongColumn = 3

/** A picture of what the portal does: a sheet with one wrong cell, and its error. */
export function CheckedSheet() {
  return (
    <div className={classes.scene}>
      <div className={classes.sheet}>
        <div className={classes.row} data-head>
          <span />
          {columnLetters.map((letter) => (
            <span key={letter}>{letter}</span>
          ))}
        </div>
        {rows.map(([number, ...cells]) => (
          <div key={number} className={classes.row} data-label={number === '1' || undefined}>
            <span className={classes.number}>{number}</span>
            {cells.map((cell, index) => (
              <span
                key={cell}
                className={number === wrongRow && index + 1 === wrongColumn ? classes.wrong : classes.cell}
              >
                {cell}
              </span>
            ))}
          </div>
        ))}
      </div>
      <div className={classes.verdict}>
        <span className={classes.place}>C4</span>
        <span className={classes.error}>This day does not exist in the calendar.</span>
        <span className={classes.expected}>
          Expected <b>a date like 31/12/2024</b>
        </span>
      </div>
    </div>
  )
}
