<?php
// Read by MediaWiki after the settings that its installer wrote: what Wikipedia has and a bare wiki lacks.
wfLoadExtension( 'TextExtracts' ); // a page as plain text

$wgMainCacheType = CACHE_NONE;
$wgJobRunRate = 0; // no reader pays for what an import left to do
$wgRateLimits = [];

// __DISAMBIG__ marks a list of meanings, as with the extension Disambiguator, which Debian does not ship.
$wgExtensionMessagesFiles['Disambig'] = __DIR__ . '/magic.php';
$wgHooks['GetDoubleUnderscoreIDs'][] = static function ( array &$ids ) {
	$ids[] = 'disambiguation';
};

// Over SQLite a plain search looks at titles only; with no titles to offer it looks at the text, as Wikipedia does.
class TextSearch extends SearchSqlite {
	protected function doSearchTitleInDB( $term ) {
		return null;
	}
}
$wgSearchType = 'TextSearch';

// Nothing here has to outlive a crash of the machine, and waiting for the disk would take most of the time.
$wgDBservers = [ [
	'type' => 'sqlite', 'dbname' => $wgDBname, 'dbDirectory' => $wgSQLiteDataDir, 'load' => 1,
	'host' => '', 'user' => '', 'password' => '', 'variables' => [ 'synchronous' => 'OFF' ],
] ];
