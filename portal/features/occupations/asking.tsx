import type { Occupation } from '../../app/queries.ts';
import { TakePayment } from '../payments/take-payment.tsx';
import { CorrectDialog, ExtendDialog, MoveDialog, SendDialog } from './change-dialogs.tsx';
import { LendDialog, RefillDialog, TakeBackDialog, TakePiecesDialog } from './hand-dialogs.tsx';
import type { Act } from './offers.ts';
import { TakeOut } from './take-out.tsx';

type Door = { id: string; doorTag: string };

/** What an action asks for before it is done. */
export const Asking = ({ act, one, onMoved, onClose }: { act: Act; one: Occupation; onMoved: (to: Door) => void; onClose: () => void }) => {
  switch (act) {
    case 'fetch':
    case 'extract':
    case 'retrieve':
    case 'moveOut':
      return <TakeOut act={act} one={one} onClose={onClose} />;
    case 'lend':
      return <LendDialog one={one} onClose={onClose} />;
    case 'takePieces':
      return <TakePiecesDialog one={one} onClose={onClose} />;
    case 'sell':
    case 'pay':
      return <TakePayment good={one} onClose={onClose} />;
    case 'takeBack':
      return <TakeBackDialog one={one} onClose={onClose} />;
    case 'refill':
      return <RefillDialog one={one} onClose={onClose} />;
    case 'extend':
    case 'extendLoan':
      return <ExtendDialog one={one} onClose={onClose} />;
    case 'correct':
      return <CorrectDialog one={one} onClose={onClose} />;
    case 'move':
      return <MoveDialog one={one} onMoved={onMoved} onClose={onClose} />;
    case 'send':
    case 'sendAgain':
    case 'sendLink':
    case 'remind':
      return <SendDialog one={one} act={act} onClose={onClose} />;
    default:
      return null;
  }
};
