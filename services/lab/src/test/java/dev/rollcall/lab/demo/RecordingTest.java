package dev.rollcall.lab.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.lab.tree.SourceTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** The moving picture, and the one that is in the repository. */
class RecordingTest {
  private static final Path KEPT = SourceTree.ROOT.resolve("docs/demo.svg");
  private static final Pattern ELSEWHERE =
      Pattern.compile("<script|href|url\\((?!#)|@import|https?://(?!www\\.w3\\.org/2000/svg\")");
  private static final long LARGEST = 200_000;

  private static Recording at(String said, Long... millis) throws IOException {
    Iterator<Long> clock = List.of(millis).iterator();
    return Recording.of("./rollcall demo --once", new StringReader(said), clock::next);
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void linesComeWhenTheyCameAndWaitsAreCutShort() throws IOException {
    Recording recording = at("ok first\nok second\nok third\n", 0L, 100L, 60_100L, 60_400L);

    assertEquals(
        List.of(1_300L, 2_200L, 2_500L),
        recording.rows().stream().map(Recording.Row::millis).toList());
  }

  @Test
  void longLinesAreFoldedAtWords() throws IOException {
    String words = "word ".repeat(60).strip();
    Recording recording = at(words + "\n", 0L, 1L);

    assertTrue(recording.rows().size() > 2);
    assertTrue(recording.rows().stream().allMatch(row -> row.text().length() <= 108));
    assertEquals(
        words, String.join(" ", recording.rows().stream().map(row -> row.text().strip()).toList()));
  }

  @Test
  void whatIsSaidIsTextAndNothingElse() throws Exception {
    String svg = at("ok <script>alert(1)</script> & \"more\"\n", 0L, 1L).svg();

    assertFalse(ELSEWHERE.matcher(svg).find(), svg);
    assertTrue(parsed(svg).getDocumentElement().getTextContent().contains("<script>alert(1)"));
  }

  @Test
  void aProgramThatSaysNothingIsNoPicture() {
    assertThrows(IOException.class, () -> at("", 0L));
  }

  /** Each line is there once, so what is said last is seen last. */
  @Test
  void theLastLinesAreSeenWithoutMotion() throws Exception {
    String said = String.join("\n", IntStream.range(0, 40).mapToObj(i -> "line " + i).toList());
    Long[] ticks = IntStream.rangeClosed(0, 40).mapToObj(i -> i * 10L).toArray(Long[]::new);
    String svg = at(said + "\n", ticks).svg();

    parsed(svg);
    assertTrue(svg.contains(".all { transform: translateY(-342px)"), svg);
    assertTrue(svg.contains("prefers-reduced-motion"));
  }

  @Test
  void theOneInTheRepositoryIsOfTheScenesThatThereAre() throws Exception {
    String svg = Files.readString(KEPT);

    assertTrue(Files.size(KEPT) < LARGEST, () -> KEPT + " is too large");
    assertFalse(ELSEWHERE.matcher(svg).find());
    String text = parsed(svg).getDocumentElement().getTextContent();
    List<String> missing =
        Scenes.all().stream()
            .map(Scene::name)
            .filter(name -> !Pattern.compile("ok +" + name + " ").matcher(text).find())
            .toList();
    assertEquals(List.of(), missing, "make it anew: ./rollcall record");
    assertFalse(text.contains("DIFFERS"));
  }
}
