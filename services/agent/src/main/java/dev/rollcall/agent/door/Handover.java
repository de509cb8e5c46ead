package dev.rollcall.agent.door;

import java.io.IOException;
import java.util.List;

/** Sends a frame with descriptors beside it. */
public interface Handover {
  /**
   * Sends the whole frame and all descriptors in one message, without waiting.
   *
   * @param socket a connected unix socket; nothing may be waiting to be sent on it
   * @param descriptors stay the caller's
   * @throws IOException if not everything was taken; the socket is of no use then
   */
  void send(int socket, byte[] frame, List<Integer> descriptors) throws IOException;
}
