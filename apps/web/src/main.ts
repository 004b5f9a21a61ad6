import './no-eval.ts'
import './app/start.tsx'
