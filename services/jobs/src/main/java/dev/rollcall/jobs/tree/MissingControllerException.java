package dev.rollcall.jobs.tree;

import java.io.IOException;

/**
 * A controller that a limit needs is not available. The message has the places that were searched.
 */
public final class MissingControllerException extends IOException {
  private static final long serialVersionUID = 1L;

  MissingControllerException(String controller, String where) {
    super("controller " + controller + " is missing: " + where);
  }
}
