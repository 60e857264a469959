/** A player: the games played, with the best score and the rank in each, and all plays. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { awardAt, gameAt, playerAt } from "../../links";
import { Figures, figure, Instant } from "../../ui/figures";
import { storePlay } from "../../ui/first";
import { Heading } from "../../ui/heading";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { useLoaded } from "../../ui/loaded";
import { Table } from "../../ui/table";

type PlayerGame = components["schemas"]["PlayerGame"];
type Play = components["schemas"]["PlayOut"];

export const Player = ({ player }: { player: string }) => {
  const list = useListed("player", (cursor) =>
    bodyOf(api.GET("/players/{player}/games", { params: { path: { player }, query: cursor } })),
  );
  const summary = list.pages[0]?.summary;
  const games = list.pages.flatMap((page) => page.games);
  return (
    <>
      <Heading above={["/records", "Records"]} name={player} />
      {summary && (
        <Figures
          of={[
            ["Plays", figure(summary.plays)],
            ["Games", figure(summary.games)],
            ["Awards", figure(summary.awards)],
          ]}
        />
      )}
      {games.length > 0 && <Games player={player} of={games} />}
      <section>
        <h2>Plays</h2>
        <Listing
          list={list}
          entries={(page) => page.plays}
          empty="This player has played nothing."
          first={storePlay({ player })}
          more="More plays"
        >
          {(plays) => <Plays of={plays} first="game" />}
        </Listing>
      </section>
    </>
  );
};

const Games = ({ player, of }: { player: string; of: readonly PlayerGame[] }) => (
  <section>
    <h2>Games</h2>
    <Table
      name="Games"
      columns={["Game", "Rank", "Best score", "Plays", "First", "Last"]}
      rows={of.map((each) => [
        each.game,
        <a key="game" href={gameAt(each.game)}>
          {each.game}
        </a>,
        <Rank key="rank" game={each.game} player={player} />,
        each.best,
        each.plays,
        <Instant key="first" at={each.first} />,
        <Instant key="last" at={each.last} />,
      ])}
    />
  </section>
);

/** Two requests for each game: a rank is exact among any number of players. */
const Rank = ({ game, player }: { game: string; player: string }) => {
  const params = { path: { game, player } };
  const { value } = useLoaded("rank", () => bodyOf(api.GET("/leaderboards/{game}/players/{player}", { params })));
  return value?.rank ? (
    <>
      {figure(value.rank)} of {figure(value.players)}
    </>
  ) : (
    <>–</>
  );
};

/** Plays, named by their game or by their player. */
export const Plays = ({ of, first }: { of: readonly Play[]; first: "game" | "player" }) => (
  <Table
    name="Plays"
    columns={[first === "game" ? "Game" : "Player", "Score", "At", first === "game" ? "Award" : "Game"]}
    rows={of.map((each) => [
      JSON.stringify([each.player, each.game, each.at]),
      <a key="first" href={first === "game" ? gameAt(each.game) : playerAt(each.player)}>
        {each[first]}
      </a>,
      each.score,
      <Instant key="at" at={each.at} />,
      first === "game" ? <Award key="award" award={each.award} /> : each.game,
    ])}
  />
);

const Award = ({ award }: { award: string | null }) => (award ? <a href={awardAt(award)}>{award}</a> : <>–</>);
