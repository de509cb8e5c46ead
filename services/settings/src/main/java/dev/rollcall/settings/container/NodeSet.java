package dev.rollcall.settings.container;

/**
 * The nodes whose jobs get the same container.
 *
 * @param nodes a host list; empty for all nodes that the file does not name
 * @param size how many the list has; 0 when it is empty
 * @param container with variables of nodes in its paths
 */
public record NodeSet(String nodes, int size, JobContainer container) {}
