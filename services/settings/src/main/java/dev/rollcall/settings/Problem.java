package dev.rollcall.settings;

/**
 * What is wrong with a file at one place.
 *
 * @param text for people, in lower case: it names key and value
 */
public record Problem(FilePosition place, String text) {
  @Override
  public String toString() {
    return place + ": " + text;
  }
}
