package dev.rollcall.model;

import java.util.regex.Pattern;

/**
 * A node's name in the batch system: the characters of RFC 1123 host names, dots and underscores.
 */
public record NodeName(String text) {
  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,62})");

  public NodeName {
    if (!VALID.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a node name");
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
