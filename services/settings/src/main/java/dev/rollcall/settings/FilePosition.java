package dev.rollcall.settings;

/**
 * A position in a file.
 *
 * @param file as messages name it
 * @param line from 1; 0 for the file as a whole
 */
public record FilePosition(String file, int line) {
  @Override
  public String toString() {
    return line == 0 ? file : file + " line " + line;
  }
}
