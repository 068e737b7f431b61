/** The face of the lifecycle: what the server and the screens call. The table is in lifecycle.ts, what each trigger does in change-*.ts. */
export type * from './occupation-types.ts';
export { doorMayOpen } from './doors.ts';
export { allowedActions } from './offered.ts';
export { register } from './register.ts';
export { claimAfterOutage, transition } from './transition.ts';
