import type { Answer, Command, Context, Occupation, Offered, RegisterContext, RegisterInput } from './occupation-types.ts';
export type * from './occupation-types.ts';

export declare function register(input: RegisterInput, ctx: RegisterContext): Answer;
export declare function transition(occupation: Occupation, command: Command, ctx: Context): Answer;
export declare function allowedActions(occupation: Occupation, ctx: Context): readonly Offered[];
export declare function doorMayOpen(occupation: Pick<Occupation, 'stage' | 'type'>): boolean;
