import ai.core.AI;
import rts.GameState;
import rts.PlayerAction;

/** Plays a game of the real MicroRTS engine without leaving Java. */
public class MicroRtsLoop {
    /** Plays to the end, or to the clock maxCycles, which it returns; with the planes of both players each tick. */
    public static int play(GameState state, AI first, AI second, int maxCycles, boolean observe) throws Exception {
        boolean over = false;
        while (!over && state.getTime() < maxCycles) {
            if (observe) {
                state.getMatrixObservation(0);
                state.getMatrixObservation(1);
            }
            PlayerAction orders = first.getAction(0, state);
            PlayerAction others = second.getAction(1, state);
            state.issueSafe(orders);
            state.issueSafe(others);
            over = state.cycle();
        }
        return state.getTime();
    }
}
