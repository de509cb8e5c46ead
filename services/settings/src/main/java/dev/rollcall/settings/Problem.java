package dev.rollcall.settings;

/**
 * An error in a file, with its position.
 *
 * @param text for people, in lower case: it names key and value
 */
public record Problem(FilePosition place, String text) {
  @Override
  public String toString() {
    return place + ": " + text;
  }
}
