package dev.rollcall.cli.man;

import java.util.List;

/** Writes a page of section 8 for a program that the launcher starts. */
public final class ProgramPage {
  private ProgramPage() {}

  /**
   * Makes a page.
   *
   * @param name {@code rollcall-agent}
   * @param options for the synopsis
   * @param parts examples, files, environment, exit status
   */
  public static String text(
      String name,
      String options,
      String does,
      List<String> says,
      PageParts parts,
      String also,
      String version) {
    var page = new Roff(name, 8, version).name(name, does);
    page.synopsis(name.replaceFirst("-", " ") + " " + options);
    page.section("DESCRIPTION");
    says.forEach(page::markdown);
    parts.write(page);
    return page.section("SEE ALSO").paragraph(also).toString();
  }
}
